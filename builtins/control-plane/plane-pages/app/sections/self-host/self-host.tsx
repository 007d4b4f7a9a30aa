// Renders the state of the control plane's servers, and the results of the operator's checks.
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { formatTime } from '#page/kit/page/format.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { RefreshCw } from 'lucide-react';
import { call, type ReplyOf } from '../../base/plane.ts';
import { RelativeTime } from '#page/kit/page/relative-time.tsx';
import { Row, Rows } from '#page/kit/page/rows.tsx';

type Status = ReplyOf<'GET /api/enterprise/self_host/status'>;

export function SelfHost() {
  const loaded = useLoaded('status', (signal) => call('GET /api/enterprise/self_host/status', { signal }));
  return (
    <PageFrame
      title="Status"
      intro="The servers of this control plane, and check results for their operator."
      actions={
        <button type="button" className="button" onClick={loaded.reload} disabled={loaded.isLoading}>
          <RefreshCw size={16} aria-hidden /> Refresh
        </button>
      }
      isBusy={loaded.isLoading}
    >
      <WhenLoaded loaded={loaded} what="status">
        {(status) => (
          <>
            <Facts status={status} />
            <section className="page-section" aria-labelledby="findings-title">
              <h2 id="findings-title">Findings</h2>
              <Rows label="Findings">
                {status.findings
                  .toSorted((one, other) => rank(one.state) - rank(other.state))
                  .map(({ name, state, message }) => (
                    <Row key={name} title={findingTitle(name)} badges={<span className={`badge ${tones[state] ?? ''}`}>{state}</span>} about={message} />
                  ))}
              </Rows>
            </section>
            <section className="page-section" aria-labelledby="nodes-title">
              <h2 id="nodes-title">Nodes</h2>
              <Rows label="Nodes">
                {status.nodes.map((node) => (
                  <NodeRow key={node.nodeId} node={node} />
                ))}
              </Rows>
            </section>
          </>
        )}
      </WhenLoaded>
    </PageFrame>
  );
}

/** Returns the title of a check, such as `Public address` for `public-address`. */
function findingTitle(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const tones: Readonly<Record<string, string>> = { fine: 'good', warning: 'warn', failed: 'bad' };
const rank = (state: string): number => ['failed', 'warning', 'fine'].indexOf(state);
const busWords: Readonly<Record<string, string>> = {
  'in-process': 'Within this node',
  connected: 'Connected to NATS',
  lost: 'NATS connection lost: readers poll every second',
};

function Facts({ status: { version, database, bus } }: { readonly status: Status }) {
  return (
    <dl className="page-card padded facts">
      <div>
        <dt>Version</dt>
        <dd>{version}</dd>
      </div>
      <div>
        <dt>Database</dt>
        <dd>
          {database.kind === 'embedded' ? 'Embedded' : 'PostgreSQL'} {database.version.replace(/ \(.*$/, '')}
        </dd>
      </div>
      <div>
        <dt>Migrations</dt>
        <dd>{database.migrations}</dd>
      </div>
      <div>
        <dt>Bus</dt>
        <dd>{busWords[bus.state] ?? bus.state}</dd>
      </div>
    </dl>
  );
}

/** Minimum clock difference that is shown, in milliseconds. */
const skewShownMs = 1_000;

function NodeRow({ node: { host, nodeId, version, startedAt, seenAt, skewMs, isThis } }: { readonly node: Status['nodes'][number] }) {
  return (
    <Row
      title={host}
      badges={isThis && <span className="badge accent">serves this page</span>}
      about={
        <>
          {version} · since {formatTime(startedAt)} · seen <RelativeTime at={seenAt} />
          {Math.abs(skewMs) >= skewShownMs && ` · its clock is ${Math.round(Math.abs(skewMs) / 1_000)} s ${skewMs > 0 ? 'ahead' : 'behind'}`}
          <br />
          <code>{nodeId}</code>
        </>
      }
    />
  );
}
