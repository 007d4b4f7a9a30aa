// Renders the folder picker, in which a folder can be typed, chosen from recent folders, or browsed.
import { CornerLeftUp, Folder, History } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import type { ChatMeta } from 'agent-harness/client';
import { useClient } from '../kit/hooks.ts';
import { TextField } from '../kit/page/text-field.tsx';
import { useLoaded } from '../kit/page/use-loaded.ts';
import { shortPath } from '../kit/short-texts.ts';
import { useKnownPermission } from '../points/use-permission.ts';
import { t } from '../kit/t.ts';
import './folder-picker.css';

const mostRecent = 6;

interface Props {
  readonly value: string;
  readonly chats: readonly ChatMeta[];
  readonly onChange: (folder: string) => void;
}

export function FolderPicker({ value, chats, onChange }: Props) {
  const recent = useMemo(() => recentRoots(chats), [chats]);
  const [isLooking, look] = useState(false);
  const mayLook = useKnownPermission();
  return (
    <div className="folder-picker">
      <TextField label={t('Folder')} value={value} placeholder="/home/me/project" required onChange={onChange} />
      {recent.length > 0 && (
        <ul className="folder-picker-recent" aria-label={t('Recent folders')}>
          {recent.map((root) => (
            <li key={root}>
              <button type="button" className="button small" title={root} aria-pressed={root === value} onClick={() => onChange(root)}>
                <History size={14} aria-hidden /> {shortPath(root, 24)}
              </button>
            </li>
          ))}
        </ul>
      )}
      {mayLook && (
        <button type="button" className="button" aria-expanded={isLooking} onClick={() => look(!isLooking)}>
          <Folder size={16} aria-hidden /> {t('Browse')}
        </button>
      )}
      {isLooking && <Browser start={value} onChange={onChange} />}
    </div>
  );
}

/** Renders the folder browser. The current folder counts as selected. */
function Browser({ start, onChange }: { readonly start: string; readonly onChange: (folder: string) => void }) {
  const client = useClient();
  const [path, setPath] = useState(start.trim());
  const { value, problem, isLoading } = useLoaded(`folders ${path}`, (signal) =>
    client.call('GET /api/folders', { query: path === '' ? {} : { path }, signal }),
  );
  const heading = useId();
  const go = (to: string): void => {
    setPath(to);
    onChange(to);
  };
  if (problem !== undefined)
    return (
      <p className="small" role="alert">
        {problem}{' '}
        <button type="button" className="button small" onClick={() => setPath('')}>
          {t('Home folder')}
        </button>
      </p>
    );
  if (!value) return <p className="muted small">{t('Loading…')}</p>;
  const { parent, folders } = value;
  const separator = value.path.includes('\\') ? '\\' : '/';
  return (
    <div className="folder-browser" aria-busy={isLoading}>
      <p className="small" id={heading} title={value.path}>
        <span className="visually-hidden">{t('Folders in')} </span>
        {shortPath(value.path, 44)}
      </p>
      <ul aria-labelledby={heading}>
        {parent !== null && (
          <li>
            <button type="button" className="folder-browser-row" onClick={() => go(parent)}>
              <CornerLeftUp size={15} aria-hidden /> {t('Up')}
            </button>
          </li>
        )}
        {folders.map((name) => (
          <li key={name}>
            <button type="button" className="folder-browser-row" onClick={() => go(`${value.path.replace(/[/\\]$/, '')}${separator}${name}`)}>
              <Folder size={15} aria-hidden /> {name}
            </button>
          </li>
        ))}
      </ul>
      {folders.length === 0 && <p className="muted small">{t('It contains no folders.')}</p>}
      {value.isCut && <p className="muted small">{t('More entries exist; type the path.')}</p>}
      {value.path !== start && (
        <button type="button" className="button small" onClick={() => onChange(value.path)}>
          {t('Use this folder')}
        </button>
      )}
    </div>
  );
}

/** Returns recently used folders, except the scratch folders of chats. */
function recentRoots(chats: readonly ChatMeta[]): readonly string[] {
  const newestFirst = chats.filter(({ workspaceMode }) => workspaceMode !== 'scratch').toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  return [...new Set(newestFirst.flatMap(({ workspaceRoot = [] }) => workspaceRoot))].slice(0, mostRecent);
}
