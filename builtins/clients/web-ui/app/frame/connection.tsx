// Renders the indicator for the state of page, server and agent.
import { indicatorOf } from 'agent-harness/client';
import { Tooltip } from 'radix-ui';
import { use, useState, useSyncExternalStore } from 'react';
import type { ChatState } from 'agent-harness/client';
import { ChatContext, useClient, useStore } from '../kit/hooks.ts';
import { describeWait, explain, nameOf } from './describe-connection.ts';
import { useClock } from '../kit/use-clock.ts';
import { t } from '../kit/t.ts';
import './connection.css';

export function Connection() {
  const connection = useStore(useClient().connection);
  const chat = useChatState();
  const name = indicatorOf(connection, chat);
  const [isOpen, setOpen] = useState(false);
  const running = name === 'BUSY' ? chat?.running : undefined;
  return (
    <div className="connection" role="status" aria-label={t('Connection')} data-indicator={name}>
      <Tooltip.Provider delayDuration={250}>
        <Tooltip.Root open={isOpen} onOpenChange={setOpen}>
          <Tooltip.Trigger asChild>
            <button
              type="button"
              className="connection-button"
              // A tap also opens the tooltip; the default handling would close it again.
              onPointerDown={(event) => event.preventDefault()}
              onClick={(event) => {
                event.preventDefault();
                setOpen(true);
              }}
            >
              <span className="connection-orb" aria-hidden />
              <span className="connection-name">{nameOf(name)}</span>
              {running && <Wait running={running} />}
            </button>
          </Tooltip.Trigger>
          <Tooltip.Portal>
            <Tooltip.Content className="connection-words" side="bottom" align="end" sideOffset={6} collisionPadding={8}>
              {nameOf(name)} · {explain(name)}
              {running && ` ${t('It {activity}.', { activity: describeWait(running, new Date()).what })}`}
            </Tooltip.Content>
          </Tooltip.Portal>
        </Tooltip.Root>
      </Tooltip.Provider>
    </div>
  );
}

function Wait({ running }: { readonly running: NonNullable<ChatState['running']> }) {
  const { what, since } = describeWait(running, useClock(1000));
  return (
    <span className="connection-wait">
      {what} {/* Announcing every second would drown out all other announcements. */}
      <span className="connection-since" aria-hidden>
        {since}
      </span>
    </span>
  );
}

const never = (): (() => void) => () => undefined;

function useChatState(): ChatState | undefined {
  const chat = use(ChatContext);
  return useSyncExternalStore(chat?.state.subscribe ?? never, () => chat?.state.get());
}
