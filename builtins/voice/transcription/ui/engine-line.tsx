// Renders the line that names the transcription engine and where the audio is sent.
import { useEffect, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { useSelected } from '#page/kit/use-selected.ts';
import { engineText, type Engines } from './engine-text.ts';
import { t } from '#page/kit/t.ts';

/** @param isPreviewed whether the browser's speech recognition may also receive the audio */
export function EngineLine({ isPreviewed }: { readonly isPreviewed: boolean }) {
  const client = useClient();
  const [engines, setEngines] = useState<Engines>();
  const hasPreview = useSelected(client.connection, ({ config }) => config?.dictationWebSpeech === true);
  useEffect(() => {
    const left = new AbortController();
    client.call('GET /api/audio/engines', { signal: left.signal }).then(
      ({ transcription }) => setEngines(transcription),
      () => undefined, // the rest works without this line
    );
    return () => left.abort();
  }, [client]);
  return (
    <p className="dictation-strip-engine muted small">
      {engines && engineText(engines)}
      {isPreviewed && hasPreview && ` ${t('The browser shows a preview, for which it may send the audio to its vendor.')}`}
    </p>
  );
}
