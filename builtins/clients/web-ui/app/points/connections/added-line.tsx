// Shows the result of adding a connection.
import type { Added } from './connections-context.ts';
import { isWebAddress } from '../../kit/web-address.ts';
import { t, tn } from '../../kit/t.ts';

export interface AddedLineProps {
  readonly name?: string;
  readonly added?: Added;
}

export function AddedLine({ name, added }: AddedLineProps) {
  return (
    <div role="status">
      {added && (
        <div className={`page-notice ${added.authorizeUrl === undefined ? 'good' : 'warn'}`}>
          <p>
            <strong>
              {added.authorizeUrl === undefined ? t('{name} is connected.', { name: name ?? '' }) : t('{name} requires a sign-in.', { name: name ?? '' })}
            </strong>{' '}
            {added.authorizeUrl === undefined ? (
              `${t('It offers {tools}.', { tools: tn(added.toolCount, '{count} tool', '{count} tools') })} `
            ) : (
              <SignInLink address={added.authorizeUrl} />
            )}
            {added.error}
          </p>
        </div>
      )}
    </div>
  );
}

/** Renders the sign-in link. An address that is not a web address is shown as plain text. */
export function SignInLink({ address }: { readonly address: string }) {
  if (!isWebAddress(address)) return <code>{address}</code>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {t('Open the sign-in page')}
    </a>
  );
}
