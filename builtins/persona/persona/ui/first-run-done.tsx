// Renders the last step of the setup: the finished persona.
import { Dialog } from 'radix-ui';
import { BrandMark } from '#page/kit/brand-mark.tsx';
import { useClient } from '#page/kit/hooks.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { t } from '#page/kit/t.ts';

interface DoneProps {
  /** Reason why parts were created without the model. */
  readonly notice: string | undefined;
  readonly onFinish: () => void;
}

export function FirstRunDone({ notice, onFinish }: DoneProps) {
  const client = useClient();
  const { value } = useLoaded('persona', (signal) => client.call('GET /api/persona', { signal }));
  const profile = value?.profile;
  return (
    <>
      <BrandMark size={44} />
      <Dialog.Title className="first-run-title">{profile && profile.name !== '' ? t('Hello, I am {name}.', { name: profile.name }) : t('Hello.')}</Dialog.Title>
      {profile && <p>{profile.summary}</p>}
      {profile && profile.traits.length > 0 && (
        <ul className="first-run-traits" aria-label={t('Traits')}>
          {profile.traits.map((trait) => (
            <li key={trait} className="badge">
              {trait}
            </li>
          ))}
        </ul>
      )}
      {notice !== undefined && <p className="first-run-notice small">{t('Some parts were created by fixed rules: {notice}', { notice })}</p>}
      <p className="muted small">{t('You can read and change every part on the page “Persona”.')}</p>
      <div className="first-run-buttons">
        <button type="button" className="button primary" autoFocus onClick={onFinish}>
          {t('Done')}
        </button>
      </div>
    </>
  );
}
