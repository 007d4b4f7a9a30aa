// Says to screen readers what a sighted reader sees happen: a reply is done, somebody is asked.
import type { ChatState } from 'agent-harness/client';
import { useState } from 'react';

interface Seen {
  readonly turnId: string | undefined;
  readonly asked: string;
  readonly words: string;
}

export function Announcer({ state }: { readonly state: ChatState }) {
  const now = { turnId: state.running?.turnId, asked: [...state.approvals.map((one) => one.approvalId), ...state.questions.map((one) => one.askId)].join() };
  const [seen, setSeen] = useState<Seen>({ ...now, words: '' });
  if (seen.turnId !== now.turnId || seen.asked !== now.asked) setSeen({ ...now, words: wordsFor(seen, now.asked, state) ?? seen.words });
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {seen.words}
    </p>
  );
}

function wordsFor(seen: Seen, asked: string, state: ChatState): string | undefined {
  const known = seen.asked.split(',');
  const approval = asked === seen.asked ? undefined : state.approvals.find((one) => !known.includes(one.approvalId));
  if (approval) return `${approval.name} waits for your approval.`;
  const question = asked === seen.asked ? undefined : state.questions.find((one) => !known.includes(one.askId));
  if (question) return `Question: ${question.prompt}`;
  if (seen.turnId !== undefined && state.running === undefined) return endWords(state);
  return state.running && seen.turnId === undefined ? 'The assistant is working.' : undefined;
}

/** A turn that ended otherwise than by its reply says so in its last line. */
function endWords({ entries }: ChatState): string {
  const last = entries.findLast((entry) => entry.kind !== 'user');
  if (last?.kind === 'error') return `The turn failed: ${last.text}`;
  return last?.kind === 'system' && last.turnId !== undefined ? last.text : 'The reply is complete.';
}
