#!/usr/bin/env node
// The full product under another name: home ~/.acorn (or ACORN_HOME), header x-acorn-token, meta tag acorn-web-auth.
import { runDistribution } from 'agent-harness';

process.exitCode = await runDistribution({ name: 'acorn', title: 'Acorn' });
