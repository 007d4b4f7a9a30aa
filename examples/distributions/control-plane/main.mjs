#!/usr/bin/env node
// A control plane of one's own: without hosted connections, and with a plugin that has a table, a route and a figure.
import { join } from 'node:path';
import { controlPlane, runDistribution } from 'agent-harness';

process.exitCode = await runDistribution({
  ...controlPlane,
  name: 'acorn-hub',
  title: 'Acorn Control Plane',
  command: 'acorn-hub',
  homeFolder: '.acorn-hub',
  builtins: controlPlane.builtins?.filter((name) => name !== 'plane-connect'),
  sources: [{ origin: 'bundle', dir: join(import.meta.dirname, 'plugins') }],
});
