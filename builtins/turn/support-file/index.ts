// Support file: one file that a person can look through and give to whoever helps, by which a turn is played on another machine.
import { lazy } from 'agent-harness/lib/async';
import type { Registry } from 'agent-harness/kernel';
import type { SupportPart } from 'agent-harness/builtins/turn/support-file';
import type {} from 'agent-harness/builtins/turn/replay';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type { Route } from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/views';
import { manifest } from './manifest.ts';
import { inputOf, namedParts } from './part-names.ts';
import { createSupportRoute } from './support-route.ts';

export { manifest };

export function register(registry: Registry<typeof manifest>): void {
  const { services, error } = registry;
  const added = new Map<string, SupportPart>();
  const files = lazy(() =>
    import('./support-files.ts').then(({ createSupportFiles }) => createSupportFiles({ services, error, added: () => [...added.values()] })),
  );
  const changed = (): Error => error('CHANGED', {});
  registry.point('support_part', {
    validate: ({ name }) => (/^[a-z][A-Za-z0-9]{0,39}$/.test(name) && !added.has(name) ? undefined : `'${name}' is no name for a further part.`),
    added: (part) => void added.set(part.name, part),
    removed: ({ name }) => void added.delete(name),
  });
  registry.add('route', createSupportRoute(files, changed) as Route);
  registry.add('view', {
    name: 'support',
    title: 'Report a problem',
    description: 'A turn as one file for whoever helps: look through it, take out what you like, save it.',
    icon: 'file',
    place: 'none',
    changesNothing: true,
    get parameters() {
      return inputOf(namedParts([...added.values()]));
    },
    read: async (context) => (await import('./support-view.ts')).readSupportView(await files(), context),
    act: async (call, context) => (await import('./support-view.ts')).saveFromView(await files(), call, context, changed),
  });
  registry.add('slash_command', {
    name: 'support',
    summary: 'Shows a file by which whoever helps can reproduce a turn; nothing is sent.',
    usage: '[turn]',
    isImmediate: true,
    run: async ({ args, ...asker }) => (await import('./support-slash.ts')).runSlash(services.views, args, asker),
  });
  registry.add('cli_command', {
    name: 'support',
    summary: 'Makes a file by which somebody else can reproduce a turn, or opens one.',
    usage: '[turn | open <file>]',
    values: { file: 'file' },
    options: {
      chat: { type: 'string', description: 'Of this chat; the active one when left out.' },
      with: { type: 'string', multiple: true, description: 'With this part, too.' },
      without: { type: 'string', multiple: true, description: 'Without this part.' },
      strike: { type: 'string', multiple: true, description: 'A word that is to stand nowhere in it.' },
      show: { type: 'string', description: 'Prints the file as it is written (file), or one of its parts.' },
      out: { type: 'string', description: 'Writes it into this new file.', values: 'file' },
      json: { type: 'boolean', description: 'As JSON.' },
    },
    run: async (input, output) => (await import('./support-command.ts')).runSupport(await files(), input, output),
  });
}
