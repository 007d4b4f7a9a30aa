// Renders the connections of one kind with their states, and buttons to add and remove connections.
import { Plus } from 'lucide-react';
import { useId, useState, type ComponentType } from 'react';
import { ConfirmDialog } from '../../kit/page/confirm-dialog.tsx';
import { explainError } from '../../kit/page/explain-error.ts';
import { Problem } from '../../kit/page/when-loaded.tsx';
import { AddedLine, SignInLink } from './added-line.tsx';
import { statusWords } from './connection-texts.ts';
import { useConnections, type Added, type Connection } from './connections-context.ts';
import { t, tn } from '../../kit/t.ts';
import './connections.css';

export interface AddFormProps {
  readonly onAdded: (name: string, added: Added) => void;
  readonly onClose: () => void;
}

export interface ConnectionSectionProps {
  /** Kind of connection, as its source reports it. */
  readonly kind: string;
  readonly title: string;
  readonly intro: string;
  /** Noun for a single connection. */
  readonly one: string;
  readonly Form: ComponentType<AddFormProps>;
  readonly remove: (name: string) => Promise<unknown>;
}

interface Outcome {
  readonly name: string;
  readonly added: Added;
}

export function ConnectionSection({ kind, title, intro, one, Form, remove }: ConnectionSectionProps) {
  const { connections, reload } = useConnections();
  const own = connections.filter((connection) => connection.kind === kind);
  const id = useId();
  const [isAdding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [problem, setProblem] = useState<string>();

  async function removeNow(name: string): Promise<void> {
    setProblem(undefined);
    setOutcome(undefined);
    try {
      await remove(name);
    } catch (error) {
      setProblem(explainError(error));
    } finally {
      reload();
    }
  }

  return (
    <section className="page-section" aria-labelledby={id}>
      <div className="connections-title">
        <h2 id={id}>{title}</h2>
        <button type="button" className="button" onClick={() => setAdding(true)}>
          <Plus size={16} aria-hidden="true" /> {t('Add {one}', { one })}
        </button>
      </div>
      <p className="muted connections-intro">{intro}</p>
      <AddedLine {...outcome} />
      {problem !== undefined && <Problem title={t('It is still connected.')} text={problem} />}
      {own.length === 0 ? (
        <p className="page-card padded muted">{t('None yet.')}</p>
      ) : (
        <ul className="page-card connections-list">
          {own.map((connection) => (
            <ConnectionEntry key={connection.name} connection={connection} onRemove={() => setRemoving(connection.name)} />
          ))}
        </ul>
      )}
      {isAdding && (
        <Form
          onAdded={(name, added) => {
            setAdding(false);
            setProblem(undefined);
            setOutcome({ name, added });
            reload();
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {removing !== undefined && (
        <ConfirmDialog
          title={t('Remove “{removing}”?', { removing })}
          text={t('Its tools and its stored data, including secrets, are removed.')}
          action={t('Remove')}
          onAnswer={(isSure) => {
            setRemoving(undefined);
            if (isSure) void removeNow(removing);
          }}
        />
      )}
    </section>
  );
}

function ConnectionEntry({
  connection: { name, status, toolCount, authorizeUrl, error },
  onRemove,
}: {
  readonly connection: Connection;
  readonly onRemove: () => void;
}) {
  const { text, tone } = statusWords(status);
  // Connections of a folder are removed by revoking its trust in the section above.
  const isTheirs = status === 'needs_trust';
  return (
    <li className="connections-row">
      <div className="connections-words">
        <div className="connections-head">
          <h3>
            <bdi>{name}</bdi>
          </h3>
          <span className={`badge ${tone}`}>{text}</span>
          <span className="muted small">{tn(toolCount, '{count} tool', '{count} tools')}</span>
        </div>
        {authorizeUrl !== undefined && (
          <p className="small">
            <SignInLink address={authorizeUrl} />
          </p>
        )}
        {error !== undefined && <p className="connections-error small">{error}</p>}
      </div>
      {!isTheirs && (
        <button type="button" className="button danger" aria-label={t('Remove {name}', { name })} onClick={onRemove}>
          {t('Remove')}
        </button>
      )}
    </li>
  );
}
