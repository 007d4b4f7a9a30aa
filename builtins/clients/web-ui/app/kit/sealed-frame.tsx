// Renders a visible sandboxed program in a frame without an origin or network access, and sends it tasks as messages.
import { isRecord } from '#lib/values';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { sealedAddress } from './sealed-program.ts';

interface Props {
  /** Name of a file in a folder `sealed`. */
  readonly name: string;
  readonly title: string;
  readonly className: string;
  /** Sent when the program is ready and whenever the object changes. */
  readonly task: object;
  /** Options that change more often than the task; sent in the same way. */
  readonly manner: object;
  /** The answers of the program are untrusted data. */
  readonly onAnswer: (answer: unknown) => void;
}

export function SealedFrame({ name, title, className, task, manner, onAnswer }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const answered = useEffectEvent(onAnswer);
  useEffect(() => {
    const onMessage = ({ data, source }: MessageEvent<unknown>): void => {
      if (!frame.current || source !== frame.current.contentWindow || !isRecord(data)) return;
      if (data['isReady'] === true) setReady(true);
      else answered(data['answer']);
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, []);
  useEffect(() => {
    if (isReady) frame.current?.contentWindow?.postMessage({ manner }, '*');
  }, [isReady, manner]);
  useEffect(() => {
    if (isReady) frame.current?.contentWindow?.postMessage({ task }, '*');
  }, [isReady, task]);
  return <iframe ref={frame} className={className} src={sealedAddress(name)} sandbox="allow-scripts" referrerPolicy="no-referrer" title={title} />;
}
