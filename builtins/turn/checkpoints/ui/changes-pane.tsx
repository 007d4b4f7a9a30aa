// Renders the pane of changes beside the chat, for the whole chat or one turn.
import type { OpenChat } from 'agent-harness/client';
import { useState } from 'react';
import { Choices } from '#page/kit/page/choices.tsx';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import type { PaneTarget } from '#page/points/contribution.ts';
import { ChangesList } from './changes-list.tsx';
import { useSelected } from '#page/kit/use-selected.ts';
import { useChanges } from './use-changes.ts';
import { t } from '#page/kit/t.ts';
import '#page/kit/page/form.css';
import './changes.css';

type Scope = 'chat' | 'turn';

/** @param target contains the id of a turn */
export function ChangesPane({ chat: { chatId, state }, target }: { readonly chat: OpenChat; readonly target?: PaneTarget | undefined }) {
  const [seen, setSeen] = useState(target);
  const [scope, setScope] = useState<Scope>(target ? 'turn' : 'chat');
  if (seen !== target) {
    setSeen(target);
    setScope(target ? 'turn' : 'chat');
  }
  const whole = useChanges(chatId);
  const lastTurnId = useSelected(state, ({ entries }) => entries.findLast(({ kind }) => kind === 'tool' || kind === 'assistant')?.turnId);
  const turnId = target?.what ?? lastTurnId;
  const isOfTurn = scope === 'turn' && turnId !== undefined;
  const ofTurn = useChanges(chatId, isOfTurn ? turnId : undefined);
  const loaded = isOfTurn ? ofTurn : whole;
  return (
    <div className="changes-pane">
      <Choices
        legend={t('Scope of the changes')}
        value={scope}
        options={{ chat: t('Whole chat'), turn: target ? t('One turn') : t('Last turn') }}
        onChange={(next: Scope) => setScope(next)}
      />
      <WhenLoaded loaded={loaded} what={t('changes')}>
        {(changes) => (
          <ChangesList key={isOfTurn ? turnId : ''} chatId={chatId} turnId={isOfTurn ? turnId : undefined} changes={changes} onUndone={loaded.reload} />
        )}
      </WhenLoaded>
    </div>
  );
}
