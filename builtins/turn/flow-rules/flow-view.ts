// Builds the view of the flow rules: the verdict for each source and destination, and actions that change it.
import type { ViewContribution } from 'agent-harness/plugins/views';
import { destinations, type Destination } from './destinations.ts';
import { sources, verdicts, type FlowTable, type FlowVerdict, type Source } from './flow-table.ts';

const sourceWords: Readonly<Record<Source, string>> = {
  secret: 'A secret: a value of a file such as .env, or a key',
  outside: 'Outside: the web, servers, files of folders that you do not trust',
  teammate: 'Other people: guests and teammates',
  memory: 'A note that rests on text from outside',
};
const destinationWords: Readonly<Record<Destination, string>> = {
  address: 'An address, a search, a request that reads',
  command: 'A command',
  memory: 'The memory',
  external: 'What is sent or done elsewhere',
  steering: 'A file that other programs obey',
};
const verdictWords: Readonly<Record<FlowVerdict, string>> = { ask: 'Asks', allow: 'Says nothing', deny: 'Refused' };
const verdictLabels: Readonly<Record<FlowVerdict, string>> = { ask: 'Ask', allow: 'Say nothing', deny: 'Refuse' };

export function flowView(table: FlowTable): Required<Pick<ViewContribution, 'read' | 'act'>> {
  return {
    async read() {
      const rules = await table.list();
      return {
        title: 'Where text may go',
        blocks: [
          {
            kind: 'text',
            text: 'When a call carries text from one of these to one of those. Rules of other kinds hold beside them; what you typed yourself is nobody else’s.',
          },
          {
            kind: 'table',
            columns: [{ title: 'From' }, { title: 'To' }, { title: 'Then' }],
            rows: rules.map(({ from, to, then }) => ({ id: `${from}-${to}`, cells: [sourceWords[from], destinationWords[to], verdictWords[then]] })),
            rowActions: verdicts.map((one) => ({
              id: one,
              label: verdictLabels[one],
              ...(one === 'allow' ? { confirm: 'Let such text go there from now on without a word? You can change it back here.' } : {}),
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
