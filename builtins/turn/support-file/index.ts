// Registers support bundles: a reviewable file with which support replays a turn on another machine.
import { lazy } from '#lib/async';
import type { Registry, PluginManifest } from 'agent-harness/kernel';
import type { SupportPart } from 'agent-harness/builtins/turn/support-file';
import type {} from 'agent-harness/builtins/turn/replay';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/commands';
import type { Route } from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/views';
import { createSupportRoute } from './support-route.ts';
import { inputOf, sectionsOf, type Section } from './support-sections.ts';

export const manifest = {
  name: 'support-file',
  requires: ['chats', 'eventLog', 'kernel', 'product', 'turnRecords', 'views'],
  errors: {
    UNKNOWN_PART: { message: "A support file has no part '{name}'; it has {names}.", status: 400 },
    INVALID_WORD: { message: "'{word}' cannot be struck out: {why}.", status: 400 },
    CHANGED: { message: 'The file is not what was shown any more. Look through it again, then save it.', status: 409 },
    TOO_LARGE: { message: 'The file has {bytes} bytes, which is more than the {most} that a support file may have. Leave parts out.', status: 413 },
    SECRET_LEFT: { message: 'Nothing is handed out: a value of .env, or a struck word, is also a name that the file is made of ({where}).', status: 409 },
    NOT_A_FILE: { message: 'This is no support file: {why}.', status: 400 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services, error } = registry;
  const added = new Map<string, SupportPart>();
  const sections = (): Section[] => sectionsOf(services, added.values());
  const files = lazy(() => import('./support-files.ts').then(({ createSupportFiles }) => createSupportFiles({ services, error, sections })));
  const changed = (): Error => error('CHANGED', {});
  registry.point('support_part', {
    validate: ({ name }) => (/^[a-z][A-Za-z0-9]{0,39}$/.test(name) && !added.has(name) ? undefined : `'${name}' is no name for a further part.`),
    added: (part) => void added.set(part.name, part),
    removed: ({ name }) => void added.delete(name),
  });
  registry.add('route', createSupportRoute(async (wish) => (await files()).make(wish), changed) as Route);
  registry.add('view', {
    name: 'support',
    title: 'Report a problem',
    description: 'A turn as one file for whoever helps: look through it, take out what you like, save it.',
    icon: 'file',
    place: 'none',
    changesNothing: true,
    get parameters() {
      return inputOf(sections());
    },
    read: async (context) => (await import('./support-view.ts')).readSupportView(await files(), context),
    act: async (call, context) => (await import('./support-view.ts')).saveFromView(await files(), call, context, changed),
  });
  registry.add('slash_command', {
    name: 'support',
    summary: 'Shows a support file that reproduces a turn. Nothing is sent.',
    usage: '[turn]',
    isImmediate: true,
    run: async (context) => (await import('./support-view.ts')).answerCommand(services.views, context),
  });
  registry.add('cli_command', {
    name: 'support',
    summary: 'Writes a support bundle that reproduces a turn, or opens one.',
    usage: '[turn | open <file>]',
    values: { file: 'file' },
    options: {
      chat: { type: 'string', description: 'Chat of the turn, by id (default: the active chat).' },
      with: { type: 'string', multiple: true, description: 'Includes this section (repeatable).' },
      without: { type: 'string', multiple: true, description: 'Excludes this section (repeatable).' },
      strike: { type: 'string', multiple: true, description: 'Redacts this word everywhere (repeatable).' },
      show: { type: 'string', description: 'Prints the bundle as written (file), or one section.' },
      out: { type: 'string', description: 'Writes it into this new file.', values: 'file' },
      json: { type: 'boolean', description: 'As JSON.' },
    },
    run: async (input, output) => (await import('./support-command.ts')).runSupport(await files(), input, output),
  });
}
