// Renders the providers for hosted connections, with the clients that the operator registered.
import { CopyButton } from '#page/kit/copy-button.tsx';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useState } from 'react';
import { isOperator, useMembership } from '../../base/me.ts';
import { call, type ReplyOf } from '../../base/plane.ts';
import { Row, Rows } from '#page/kit/page/rows.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useConfirm } from '#page/kit/page/use-confirm.tsx';
import { ClientDialog } from './client-dialog.tsx';

type Connector = ReplyOf<'GET /api/connectors'>['connectors'][number];

export function Connectors() {
  const membership = useMembership();
  const loaded = useLoaded('connectors', (signal) => call('GET /api/connectors', { signal }));
  const mayWrite = isOperator(membership);
  return (
    <PageFrame
      title="Connectors"
      intro={
        mayWrite
          ? 'Register a client with its callback address at a provider, and enter its id and secret here. Members can then connect their accounts on the connections page of their server.'
          : 'Members can connect accounts of these providers on the connections page of their server.'
      }
      isBusy={loaded.isLoading}
    >
      <WhenLoaded loaded={loaded} what="connectors">
        {({ connectors }) => (
          <Rows label="Connectors">
            {connectors.map((one) => (
              <ConnectorRow key={one.id} connector={one} mayWrite={mayWrite} onChanged={loaded.reload} />
            ))}
          </Rows>
        )}
      </WhenLoaded>
    </PageFrame>
  );
}

interface ConnectorRowProps {
  readonly connector: Connector;
  readonly mayWrite: boolean;
  readonly onChanged: () => void;
}

function ConnectorRow({ connector, mayWrite, onChanged }: ConnectorRowProps) {
  const { id, title, isSetUp, canRevoke, clientId, callbackUrl } = connector;
  const [isEditing, edit] = useState(false);
  const { isBusy, run } = useAct(onChanged);
  const [ask, dialog] = useConfirm();
  return (
    <Row
      title={title}
      badges={isSetUp ? <span className="badge good">set up</span> : <span className="badge">not set up</span>}
      about={
        <>
          {clientId !== undefined && <>Client {clientId}. </>}
          {isSetUp && !canRevoke && 'This provider does not support revoking tokens. Members revoke access in the settings of the provider.'}
        </>
      }
      actions={
        mayWrite && (
          <>
            <CopyButton text={() => callbackUrl} label="Copy callback address" />
            <button type="button" className="button" aria-label={`${isSetUp ? 'Change' : 'Set up'} ${title}`} onClick={() => edit(true)}>
              {isSetUp ? 'Change' : 'Set up'}
            </button>
            {isSetUp && (
              <button
                type="button"
                className="button danger"
                disabled={isBusy}
                aria-label={`Remove ${title}`}
                onClick={() =>
                  ask({
                    title: `Remove the client at ${title}?`,
                    text: 'Connected accounts work until their tokens expire, and cannot be refreshed.',
                    action: 'Remove',
                    go: () => void run(() => call('DELETE /api/connectors/:provider', { params: { provider: id } }), `The client at ${title} is removed.`),
                  })
                }
              >
                Remove
              </button>
            )}
            {dialog}
            {isEditing && (
              <ClientDialog
                connector={connector}
                onClose={() => edit(false)}
                onSaved={() => {
                  edit(false);
                  onChanged();
                }}
              />
            )}
          </>
        )
      }
    />
  );
}
