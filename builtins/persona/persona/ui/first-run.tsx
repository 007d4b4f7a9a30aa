// The question about the character: one field, then what is being made of it, then hello.
import { codeOf } from 'agent-harness/lib/errors';
import { Dialog } from 'radix-ui';
import { use, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ChatContext, useClient } from '#page/kit/hooks.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import './first-run.css';
import { FirstRunAsk } from './first-run-ask.tsx';
import { FirstRunDone } from './first-run-done.tsx';
import { FirstRunMaking } from './first-run-making.tsx';
import { afterProgress, asking, type Making } from './making.ts';

export interface FirstRunProps {
  /** The server waits for an answer. */
  readonly isPending: boolean;
  readonly canSkip: boolean;
  /** Somebody has a character and wants another one. */
  readonly isAgain?: boolean;
  readonly onClose: () => void;
}

export function FirstRun({ isPending, canSkip, isAgain = false, onClose }: FirstRunProps) {
  const client = useClient();
  const chat = use(ChatContext);
  const [making, setMaking] = useState<Making>(asking);
  const [input, setInput] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const head = useRef<HTMLDivElement>(null);
  /** Since the answer was sent. */
  const hasHeard = useRef(false);

  // A run goes on over a reload of the page, and one that was cut off is told.
  useEffect(() => {
    client.call('GET /api/persona').then(
      ({ bootstrap: { state, input: asked, stage = '', error } }) => {
        if (asked !== undefined) setInput((typed) => (typed === '' ? asked : typed));
        if (state === 'running') setMaking((before) => (before.phase === 'asking' ? { phase: 'making', stage, previews: [] } : before));
        else if (error !== undefined && asked !== undefined) setProblem(error);
      },
      () => undefined, // the question can be asked even so
    );
    return client.on((event) => {
      if (event.kind !== 'persona_progress') return;
      hasHeard.current = true;
      setMaking((before) => afterProgress(before, event));
    });
  }, [client]);

  const { phase } = making;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    // Somebody answered elsewhere.
    if (!isPending && !isAgain && phase === 'asking') close();
  }, [isPending, isAgain, phase]);
  useEffect(() => {
    // The button that was pressed is gone; the others bring what has the focus.
    if (phase === 'making') head.current?.focus();
  }, [phase]);

  async function answer(body: { input: string } | { skip: true }): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    hasHeard.current = false;
    try {
      await client.call('POST /api/persona/bootstrap', { body });
      if ('skip' in body) onClose();
      // A run may be over before its request is answered.
      else if (!hasHeard.current) setMaking({ phase: 'making', stage: '', previews: [] });
    } catch (fault) {
      // Who may not answer is not kept here.
      if (codeOf(fault) === 'forbidden') onClose();
      // Another tab was quicker.
      else if (codeOf(fault) === 'running') setMaking((before) => ({ ...before, phase: 'making' }));
      else setProblem(explainError(fault));
    } finally {
      setBusy(false);
    }
  }

  /** An empty chat begins with a greeting; one that goes on is left alone. */
  async function finish(): Promise<void> {
    onClose();
    if (isAgain || chat === undefined || chat.state.get().entries.length > 0) return;
    await client.call('POST /api/session/reset', { body: { mode: 'soft', greet: true, chatId: chat.chatId } }).catch(() => undefined);
  }

  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || !isAgain || onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          className="first-run"
          aria-describedby={undefined}
          onEscapeKeyDown={(event) => isAgain || event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
        >
          <div className="first-run-card" ref={head} tabIndex={-1}>
            {(phase === 'asking' || phase === 'failed') && (
              <FirstRunAsk
                {...{ input, isBusy, isAgain }}
                problem={phase === 'failed' ? (problem ?? making.error ?? 'Nothing was made.') : problem}
                onInput={setInput}
                onGo={() => void answer({ input: input.trim() })}
                {...(isAgain ? { onCancel: onClose } : canSkip ? { onSkip: () => void answer({ skip: true }) } : {})}
              />
            )}
            {phase === 'making' && <FirstRunMaking making={making} input={input} {...(isAgain || canSkip ? { onLeave: onClose } : {})} />}
            {phase === 'done' && <FirstRunDone isAgain={isAgain} notice={making.notice} onFinish={() => void finish()} />}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
