// Renders the details of the Pulse strip: state, reason for the nudge, and the user's options.
import type { OpenChat } from 'agent-harness/client';
import { useClient, hashOf } from '#page/kit/hooks.ts';
import type { Act } from '#page/kit/page/use-act.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { RelativeTime } from '#page/kit/page/relative-time.tsx';
import { runText } from './heartbeat-texts.ts';
import { nowText, percent, todayText, type PulseRun, type PulseView } from './pulse-texts.ts';
import { t, tx } from '#page/kit/t.ts';
import { quoted } from '#page/kit/short-texts.ts';

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
        <dt>{t('Now')}</dt>
        <dd>{dueAt === undefined ? nowText(view, now) : t('{now}, not before {dueAt}', { now: nowText(view, now), dueAt: formatTime(dueAt) })}</dd>
        <dt>{t('Last run')}</dt>
        <dd dir="auto">{last ? <LastRun run={last} /> : t('No run in this chat.')}</dd>
        <dt>{t('Today')}</dt>
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
        {tx('About your message {link}, {relativeTime}; confidence {percent}. Run {runId}. The model does not read this nudge.', {
          link: <a href={hashOf({ page: 'chat', id: chat.chatId, part: messageId })}>{quoted(about)}</a>,
          relativeTime: <RelativeTime at={at} />,
          percent: sureText(nudge.confidence, view.gate?.now),
          runId: <code>{runId}</code>,
        })}
      </p>
      <div className="pulse-choices">
        <button type="button" className="button primary" disabled={act.isBusy} onClick={() => void onUse(run)}>
          {t('Reply')}
        </button>
        <button type="button" className="button" disabled={act.isBusy} onClick={() => void onAnswer(runId, 'dismissed')}>
          {t('Dismiss')}
        </button>
      </div>
    </div>
  );
}

function sureText(confidence: number, needed: number | null | undefined): string {
  const sure = percent(confidence);
  return needed == null ? sure : t('{percent} (minimum in this chat: {needed})', { percent: sure, needed: percent(needed) });
}

function Choices({ chat: { chatId }, view: { gate, state }, act }: Pick<PulseDetailsProps, 'chat' | 'view' | 'act'>) {
  const client = useClient();
  const less = (isLess: boolean): void => void act.run(() => client.call('PUT /api/heartbeat/less', { body: { chatId, isLess } }));
  const mute = (isMuted: boolean): void => void act.run(() => client.call('PUT /api/heartbeat/mute', { body: { isMuted } }));
  const steps = gate?.steps ?? 0;
  return (
    <div className="pulse-choices">
      <button type="button" className="button" disabled={act.isBusy || gate?.now === null} onClick={() => less(true)}>
        {t('Less of this')}
      </button>
      {state === 'muted' ? (
        <button type="button" className="button" disabled={act.isBusy} onClick={() => mute(false)}>
          {t('Unmute')}
        </button>
      ) : (
        <button type="button" className="button" disabled={act.isBusy} onClick={() => mute(true)}>
          {t('Mute until tomorrow')}
        </button>
      )}
      {steps > 0 && (
        <p className="pulse-less muted small">
          {gate?.now === null || gate === undefined
            ? t('This chat no longer gets nudges.')
            : t('Nudges in this chat now need a confidence of at least {percent}.', { percent: percent(gate.now) })}{' '}
          <button type="button" className="button bare" disabled={act.isBusy} onClick={() => less(false)}>
            {t('Undo')}
          </button>
        </p>
      )}
    </div>
  );
}
