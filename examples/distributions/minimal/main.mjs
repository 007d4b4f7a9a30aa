#!/usr/bin/env node
// A distribution with chat and files only. What is not in the list is not even imported.
import { runDistribution } from 'agent-harness';

process.exitCode = await runDistribution({
  name: 'app',
  title: 'Minimal Harness',
  builtins: ['model-chat-completions', 'model-demo', 'files', 'checkpoints', 'cli'],
});
