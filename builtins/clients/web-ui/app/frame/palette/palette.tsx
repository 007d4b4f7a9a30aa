// Renders the command palette, which finds chats, pages, themes and commands by a few letters.
import { Command } from 'cmdk';
import { use, useState } from 'react';
import { ChatContext, goTo } from '../../kit/hooks.ts';
import { Modal } from '../../kit/modal.tsx';
import { CommandArguments } from './palette-arguments.tsx';
import { PaletteActions, PaletteChats, PaletteCommands, PalettePages, PaletteSearch, scoreOf } from './palette-groups.tsx';
import { useSlashCommands, type SlashCommand } from './use-palette-commands.ts';
import { t } from '../../kit/t.ts';
import './palette.css';

/** @param typed text that was entered while the palette was loading */
export function Palette({ typed, onClose }: { readonly typed: string; readonly onClose: () => void }) {
  const chat = use(ChatContext);
  const [query, setQuery] = useState(typed);
  const [picked, pick] = useState<SlashCommand>();
  const { commands, run } = useSlashCommands(chat);
  // Closes the palette first; otherwise a dialog that the action opens would be closed.
  const then = (work: () => void) => () => {
    onClose();
    work();
  };
  const runNow = (name: string, args: string): void => then(() => run(name, args))();
  return (
    <Modal title={t('Command palette')} isPlain onClose={onClose}>
      {picked ? (
        <CommandArguments command={picked} onRun={(args) => runNow(picked.name, args)} />
      ) : (
        <Command className="palette" label={t('Command palette')} filter={scoreOf} loop>
          <Command.Input className="palette-field" placeholder={t('A command, a page, or the name of a chat')} value={query} onValueChange={setQuery} />
          <Command.List className="palette-list">
            <Command.Empty className="palette-none muted">{t('Nothing found.')}</Command.Empty>
            <PaletteActions then={then} />
            <PaletteChats query={query} onPick={(id) => then(() => goTo({ page: 'chat', id }))()} />
            <PalettePages then={then} />
            {chat && (
              <PaletteCommands
                commands={commands}
                onPick={(command) => {
                  if (command.usage) pick(command);
                  else runNow(command.name, '');
                }}
              />
            )}
            <PaletteSearch query={query} then={then} />
          </Command.List>
        </Command>
      )}
    </Modal>
  );
}
