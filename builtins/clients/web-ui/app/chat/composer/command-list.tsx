// Renders the list of matching slash commands. The text field keeps the focus and references the selected command.
import { useEffect, useRef } from 'react';
import type { SlashCommand } from './slash-commands.ts';
import { t } from '../../kit/t.ts';
import './command-list.css';

export const commandListId = 'composer-commands';
export const commandId = (name: string): string => `composer-command-${name}`;

interface CommandListProps {
  readonly commands: readonly SlashCommand[];
  readonly active: number;
  readonly onPick: (command: SlashCommand) => void;
}

export function CommandList({ commands, active, onPick }: CommandListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <ul ref={list} id={commandListId} className="command-list" role="listbox" aria-label={t('Commands')}>
      {commands.map((command, index) => (
        <li
          key={command.name}
          id={commandId(command.name)}
          role="option"
          aria-selected={index === active}
          className="command-option"
          // Focus must stay in the text field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(command)}
        >
          <span className="command-name">
            /{command.name}
            {command.usage !== undefined && <span className="muted"> {command.usage}</span>}
          </span>
          <span className="muted small">{t(command.summary)}</span>
        </li>
      ))}
    </ul>
  );
}
