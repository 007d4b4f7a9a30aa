// Renders plugin actions on an entry of a conversation or a pending call.
import { Suspense, use } from 'react';
import { ChatContext } from '../kit/hooks.ts';
import { HostOnly } from '../kit/host-only.tsx';
import type { EntryMark } from './contribution.ts';
import { useContributions } from './use-contributions.ts';

/** @param chatId default: the open chat */
export function EntryTools({ kind, id, chatId }: Omit<EntryMark, 'chatId'> & { readonly chatId?: string }) {
  const shown = use(ChatContext)?.chatId;
  const tools = useContributions().flatMap(({ entryTools = [] }) => entryTools);
  const of = chatId ?? shown;
  if (of === undefined || tools.length === 0) return null;
  return (
    <HostOnly>
      <Suspense>
        {tools.map(({ title, Tool }) => (
          <Tool key={title} kind={kind} id={id} chatId={of} />
        ))}
      </Suspense>
    </HostOnly>
  );
}
