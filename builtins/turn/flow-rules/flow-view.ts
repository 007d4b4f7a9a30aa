// Builds the view of the data flow rules: the verdict for each source and destination, and actions that change it.
import type { ViewContribution } from 'agent-harness/plugins/views';
import { destinations, type Destination } from './destinations.ts';
import { sources, verdicts, type FlowTable, type FlowVerdict, type Source } from './flow-table.ts';

const sourceWords: Readonly<Record<Source, string>> = {
  secret: 'Secret: a value of a file such as .env, or a key',
  outside: 'External content: the web, servers, files of untrusted folders',
  teammate: 'Other people: guests and teammates',
  memory: 'Note based on external content',
};
const destinationWords: Readonly<Record<Destination, string>> = {
  address: 'Address, search or read-only request',
  command: 'A command',
  memory: 'The memory',
  external: 'External service: data sent or actions performed',
  steering: 'File that controls other programs',
};
const verdictWords: Readonly<Record<FlowVerdict, string>> = { ask: 'Asks', allow: 'Allowed', deny: 'Refused' };
const verdictLabels: Readonly<Record<FlowVerdict, string>> = { ask: 'Ask', allow: 'Allow', deny: 'Refuse' };

export function flowView(table: FlowTable): Required<Pick<ViewContribution, 'read' | 'act'>> {
  return {
    async read() {
      const rules = await table.list();
      return {
        title: 'Data flow rules',
        blocks: [
          {
            kind: 'text',
            text: 'These rules apply when a call sends text from a source to a destination, in addition to all other rules. Text that you typed yourself is not restricted.',
          },
          {
            kind: 'table',
            columns: [{ title: 'From' }, { title: 'To' }, { title: 'Then' }],
            rows: rules.map(({ from, to, then }) => ({ id: `${from}-${to}`, cells: [sourceWords[from], destinationWords[to], verdictWords[then]] })),
            rowActions: verdicts.map((one) => ({
              id: one,
              label: verdictLabels[one],
              ...(one === 'allow' ? { confirm: 'Allow such text to be sent there without asking? You can change this here at any time.' } : {}),
            })),
          },
        ],
      };
    },
    async act({ action, row = '' }) {
      const [from, to] = row.split('-');
      const rule = { from: sources.find((one) => one === from), to: destinations.find((one) => one === to), then: verdicts.find((one) => one === action) };
      if (rule.from === undefined || rule.to === undefined || rule.then === undefined) return undefined;
      await table.change({ from: rule.from, to: rule.to, then: rule.then });
      return undefined;
    },
  };
}
