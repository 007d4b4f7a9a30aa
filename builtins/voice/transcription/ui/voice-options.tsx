// Renders the selection of the microphone and of the pause that ends an utterance.
import { useEffect, useId, useState } from 'react';
import { Select } from '#page/kit/page/select.tsx';
import { listMicrophones } from './sound/microphone.ts';
import { keepMicrophone, keepPause, pauses, readMicrophone, readPause } from './microphone-settings.ts';
import { t } from '#page/kit/t.ts';

export function VoiceOptions() {
  const id = useId();
  const [microphones, setMicrophones] = useState<Readonly<Record<string, string>>>({});
  const [microphone, setMicrophone] = useState(() => readMicrophone() ?? '');
  const [pause, setPause] = useState(readPause);
  useEffect(() => {
    const read = (): void =>
      void listMicrophones().then(
        (found) => setMicrophones(Object.fromEntries(found.map(({ id: device, label }) => [device, label]))),
        () => undefined, // the system's default remains
      );
    read();
    const devices = navigator.mediaDevices as MediaDevices | undefined;
    devices?.addEventListener('devicechange', read);
    return () => devices?.removeEventListener('devicechange', read);
  }, []);
  return (
    <div className="voice-options">
      <label htmlFor={`${id}-microphone`}>{t('Microphone')}</label>
      <Select
        id={`${id}-microphone`}
        value={Object.hasOwn(microphones, microphone) ? microphone : ''}
        options={{ '': t("The system's own"), ...microphones }}
        onChange={(chosen) => {
          keepMicrophone(chosen);
          setMicrophone(chosen);
        }}
      />
      <label htmlFor={`${id}-pause`}>{t('Ends')}</label>
      <Select
        id={`${id}-pause`}
        value={pause}
        options={pauses}
        onChange={(chosen) => {
          keepPause(chosen);
          setPause(chosen);
        }}
      />
      <p className="muted small">{t('Counts from the next time on.')}</p>
    </div>
  );
}
