// A tool with its own result display in the web UI: the model reads JSON, users see a table.
import { freemem, hostname, loadavg, totalmem, uptime } from 'node:os';

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
  registry.add('tool', {
    name: 'machine_facts',
    description: 'Tells how this machine is doing: memory, load, uptime. Answers JSON: a list of { fact, value, unit }.',
    input: { type: 'object', properties: {}, additionalProperties: false },
    effects: ['read'],
    isEveryday: true,
    run: () => JSON.stringify(readFacts()),
  });
  registry.add('ui.panel', {
    id: 'machine-facts',
    title: 'Machine facts',
    slot: 'tool_result',
    tools: ['machine_facts'],
    module: new URL('./own-result/facts-table.js', import.meta.url).href,
  });
}

function readFacts() {
  const gibibytes = (bytes) => Math.round((bytes / 1024 ** 3) * 10) / 10;
  return [
    { fact: 'Name', value: hostname(), unit: '' },
    { fact: 'Memory', value: gibibytes(totalmem()), unit: 'GiB' },
    { fact: 'Free memory', value: gibibytes(freemem()), unit: 'GiB' },
    { fact: 'Load', value: Math.round((loadavg()[0] ?? 0) * 100) / 100, unit: '' },
    { fact: 'Up for', value: Math.round(uptime() / 3600), unit: 'hours' },
  ];
}
