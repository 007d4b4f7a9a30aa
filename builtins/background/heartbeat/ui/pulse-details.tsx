// What stands behind the strip: what it does, why this nudge, and what a person may do about it.
import type { OpenChat } from 'agent-harness/client';
import { useClient, hashOf } from '#page/kit/hooks.ts';
import type { Act } from '#page/kit/page/use-act.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { RelativeTime } from '#page/kit/page/relative-time.tsx';
import { runText } from './beat-words.ts';
import { nowText, percent, todayText, type PulseRun, type PulseView } from './pulse-words.ts';

interface PulseDetailsProps {
  readonly chat: OpenChat;
  readonly view: PulseView;
  readonly now: Date;
  readonly act: Act;
  readonly onUse: (run: PulseRun) => Promise<void>;
  readonly onAnswer: (runId: string, answer: 'used' | 'dismissed') => Promise<boolean>;
}

export function PulseDetails({ chat, view, now, act, onUse, onAnswer }: PulseDetailsProps) {
  const { last, nudge, today, dueAt } = view;
  return (
    <>
      {nudge && <ShownNudge run={nudge.run} chat={chat} view={view} act={act} onUse={onUse} onAnswer={onAnswer} />}
      <dl className="pulse-facts">
        <dt>Now</dt>
        <dd>
          {nowText(view, now)}
          {dueAt !== undefined && `, not before ${formatTime(dueAt)}`}
        </dd>
        <dt>Last run</dt>
        <dd dir="auto">{last ? <LastRun run={last} /> : 'None in this chat.'}</dd>
        <dt>Today</dt>
        <dd>{todayText(today)}</dd>
      </dl>
      <Choices chat={chat} view={view} act={act} />
    </>
  );
}

function LastRun({ run }: { readonly run: PulseRun }) {
  return (
    <>
      <RelativeTime at={run.at} />: {runText(run)}
    </>
  );
}

function ShownNudge({ run, chat, view, act, onUse, onAnswer }: Omit<PulseDetailsProps, 'now'> & { readonly run: PulseRun }) {
  const { nudge, messageId, about, at, runId } = run;
  if (!nudge) return null;
  return (
    <div className="pulse-shown">
      <p className="pulse-text" dir="auto">
        {nudge.text}
      </p>
      <p className="pulse-why muted small" dir="auto">
        It thought about your message <a href={hashOf({ page: 'chat', id: chat.chatId, part: messageId })}>“{about}”</a>, <RelativeTime at={at} />, and is sure
        to {percent(nudge.confidence)}
        {view.gate?.now === null || view.gate === undefined ? '' : `; it takes ${percent(view.gate.now)} here`}. Run <code>{runId}</code>. The model does not
        read it.
      </p>
      <div className="pulse-choices">
        <button type="button" className="button primary" disabled={act.isBusy} onClick={() => void onUse(run)}>
          Reply
        </button>
        <button type="button" className="button" disabled={act.isBusy} onClick={() => void onAnswer(runId, 'dismissed')}>
          Dismiss
        </button>
      </div>
    </div>
  );
}

function Choices({ chat: { chatId }, view: { gate, state }, act }: Pick<PulseDetailsProps, 'chat' | 'view' | 'act'>) {
  const client = useClient();
  const less = (isLess: boolean): void => void act.run(() => client.call('PUT /api/heartbeat/less', { body: { chatId, isLess } }));
  const mute = (isMuted: boolean): void => void act.run(() => client.call('PUT /api/heartbeat/mute', { body: { isMuted } }));
  const steps = gate?.steps ?? 0;
  return (
    <div className="pulse-choices">
      <button type="button" className="button" disabled={act.isBusy || gate?.now === null} onClick={() => less(true)}>
        Less of this
      </button>
      {state === 'muted' ? (
        <button type="button" className="button" disabled={act.isBusy} onClick={() => mute(false)}>
          Unmute
        </button>
      ) : (
        <button type="button" className="button" disabled={act.isBusy} onClick={() => mute(true)}>
          Mute until tomorrow
        </button>
      )}
      {steps > 0 && (
        <p className="pulse-less muted small">
          {gate?.now === null || gate === undefined ? 'This chat gets no nudges any more.' : `Nudges in this chat must be sure to ${percent(gate.now)} now.`}{' '}
          <button type="button" className="button bare" disabled={act.isBusy} onClick={() => less(false)}>
            Undo
          </button>
        </p>
      )}
    </div>
  );
}
