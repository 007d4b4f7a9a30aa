// Renders the second step of the palette: entering the arguments of a slash command.
import { useState } from 'react';
import type { SlashCommand } from './use-palette-commands.ts';
import { t, tx } from '../../kit/t.ts';

export function CommandArguments({ command, onRun }: { readonly command: SlashCommand; readonly onRun: (args: string) => void }) {
  const [args, setArgs] = useState('');
  return (
    <form
      className="palette"
      onSubmit={(event) => {
        event.preventDefault();
        onRun(args.trim());
      }}
    >
      <input
        className="palette-field"
        aria-label={t('Arguments of /{name}', { name: command.name })}
        placeholder={command.usage}
        value={args}
        autoFocus
        spellCheck={false}
        onChange={(event) => setArgs(event.target.value)}
      />
      <p className="palette-hint muted small">
        {tx('{summary} {key} runs {command}.', { summary: t(command.summary), key: <kbd>Enter</kbd>, command: <code>/{command.name}</code> })}
      </p>
    </form>
  );
}
