// Runs the persona setup in a dialog with three steps: input, progress and result.
import { codeOf } from '#lib/errors';
import { Dialog } from 'radix-ui';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { hostOnly } from '#page/kit/host-only.tsx';
import { explainError } from '#page/kit/page/explain-error.ts';
import './first-run.css';
import { FirstRunAsk } from './first-run-ask.tsx';
import { FirstRunDone } from './first-run-done.tsx';
import { FirstRunGeneration } from './first-run-generation.tsx';
import { afterProgress, afterReading, asking, type Generation } from './generation-state.ts';
import { t } from '#page/kit/t.ts';

export interface FirstRunProps {
  /** Whether the server requires an answer. */
  readonly isPending: boolean;
  readonly canSkip: boolean;
  /** Whether the user replaces an existing persona. */
  readonly isAgain?: boolean;
  readonly onClose: () => void;
}

export function FirstRun({ isPending, canSkip, isAgain = false, onClose }: FirstRunProps) {
  const client = useClient();
  const [making, setMaking] = useState<Generation>(asking);
  const [input, setInput] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const head = useRef<HTMLDivElement>(null);
  /** Number of updates received about a run. */
  const heard = useRef(0);

  // Loads a run that continued during a reload of the page or a restart of the server.
  const { stream } = useStore(client.connection);
  useEffect(() => {
    if (stream === 'lost') return;
    const before = heard.current;
    client.call('GET /api/persona').then(
      ({ bootstrap }) => {
        const { input: asked, state, error } = bootstrap;
        if (asked !== undefined) setInput((typed) => (typed === '' ? asked : typed));
        // Ignores a reply that is older than the updates received.
        if (heard.current !== before) return;
        setMaking((making) => afterReading(making, bootstrap));
        if (state !== 'running' && error !== undefined && asked !== undefined) setProblem(error);
      },
      () => undefined, // the question can be shown anyway
    );
  }, [client, stream]);
  useEffect(
    () =>
      client.on((event) => {
        if (event.kind !== 'persona_progress') return;
        heard.current++;
        setMaking((before) => afterProgress(before, event));
      }),
    [client],
  );

  const { phase } = making;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    // The question was answered in another client.
    if (!isPending && !isAgain && phase === 'asking') close();
  }, [isPending, isAgain, phase]);
  useEffect(() => {
    // Moves the focus away from the removed button; other steps set the focus themselves.
    if (phase === 'making') head.current?.focus();
  }, [phase]);

  async function answer(body: { input: string } | { skip: true }): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    const before = ++heard.current;
    try {
      await client.call('POST /api/persona/bootstrap', { body });
      if ('skip' in body) onClose();
      // The run may have ended before the reply to its request arrived.
      else if (heard.current === before) setMaking({ phase: 'making', stage: '', previews: [] });
    } catch (fault) {
      // Closes the dialog for a user without permission.
      if (codeOf(fault) === 'forbidden') onClose();
      // Another tab started the run.
      else if (codeOf(fault) === 'running') setMaking((before) => ({ ...before, phase: 'making' }));
      else setProblem(explainError(fault));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || !isAgain || onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          {...hostOnly}
          className="first-run"
          aria-describedby={undefined}
          // An accidental key press must not discard unsaved input.
          onEscapeKeyDown={(event) => (isAgain && (phase === 'making' || phase === 'done' || input.trim() === '')) || event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
        >
          <div className="first-run-card" ref={head} tabIndex={-1}>
            {(phase === 'asking' || phase === 'failed') && (
              <FirstRunAsk
                {...{ input, isBusy }}
                problem={phase === 'failed' ? (problem ?? making.error ?? t('No persona was created.')) : problem}
                onInput={setInput}
                onGo={() => void answer({ input: input.trim() })}
                {...(isAgain ? { onCancel: onClose } : canSkip ? { onSkip: () => void answer({ skip: true }) } : {})}
              />
            )}
            {phase === 'making' && <FirstRunGeneration making={making} input={input} {...(isAgain || canSkip ? { onLeave: onClose } : {})} />}
            {phase === 'done' && <FirstRunDone notice={making.notice} onFinish={onClose} />}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
