// What came of adding a connection.
import { countOf } from '../../kit/page/format.ts';
import type { Added } from './connections-context.ts';
import { isWebAddress } from '../../kit/web-address.ts';

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
            <strong>{added.authorizeUrl === undefined ? `${name} is connected.` : `${name} wants a sign-in.`}</strong>{' '}
            {added.authorizeUrl === undefined ? `It offers ${countOf(added.toolCount, 'tool')}. ` : <SignInLink address={added.authorizeUrl} />}
            {added.error}
          </p>
        </div>
      )}
    </div>
  );
}

/** An address that leads nowhere in the web is shown and not linked. */
export function SignInLink({ address }: { readonly address: string }) {
  if (!isWebAddress(address)) return <code>{address}</code>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      Open the sign-in page
    </a>
  );
}
