// Renders the pane of workspace files: a tree with change badges, and one open file.
import type { OpenChat } from 'agent-harness/client';
import { useState } from 'react';
import type { PaneTarget } from '#page/points/contribution.ts';
import { FileTree } from './file-tree.tsx';
import { FileViewer } from './file-viewer.tsx';
import './files.css';

interface Place {
  readonly path: string;
  readonly line?: number;
}

/** @param target a path, or a path with a line, such as `src/a.ts:12` */
export function FilesPane({ chat, target }: { readonly chat: OpenChat; readonly target?: PaneTarget | undefined }) {
  const [seen, setSeen] = useState(target);
  const [place, setPlace] = useState<Place | undefined>(() => placeOf(target));
  if (seen !== target) {
    setSeen(target);
    setPlace(placeOf(target));
  }
  return (
    <div className="files-pane">
      <div hidden={place !== undefined} className="files-pane-tree">
        <FileTree chatId={chat.chatId} onOpen={(path) => setPlace({ path })} />
      </div>
      {place && <FileViewer key={place.path} chatId={chat.chatId} {...place} at={seen} onClose={() => setPlace(undefined)} />}
    </div>
  );
}

function placeOf(target: PaneTarget | undefined): Place | undefined {
  if (!target) return undefined;
  const [, path = target.what, line] = /^(.*?)(?::(\d+))?$/.exec(target.what) ?? [];
  return { path: path.replace(/^\.\//, ''), ...(line === undefined ? {} : { line: Number(line) }) };
}
