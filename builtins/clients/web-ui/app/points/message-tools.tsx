// What plugins add to what can be done with a message of the assistant.
import type { AssistantEntry } from 'agent-harness/client';
import { useContributions } from './use-contributions.ts';

export function MessageTools({ entry }: { readonly entry: AssistantEntry }) {
  const tools = useContributions().flatMap(({ messageTools = [] }) => messageTools);
  return tools.map(({ title, Tool }) => <Tool key={title} entry={entry} />);
}
