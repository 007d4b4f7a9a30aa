#!/usr/bin/env node
// A custom control plane: no hosted connections, and a plugin that adds a table, a route and a metric.
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
