// Registers support bundles: a file that users can review, and that support can use to replay a turn on another machine.
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
    UNKNOWN_PART: { message: "The support bundle has no section '{name}'. Available sections: {names}.", status: 400 },
    INVALID_WORD: { message: "'{word}' cannot be redacted: {why}.", status: 400 },
    CHANGED: { message: 'The support bundle changed after it was shown. Review it again, then save it.', status: 409 },
    TOO_LARGE: { message: 'The support bundle is {bytes} bytes long; the maximum is {most}. Exclude some sections.', status: 413 },
    SECRET_LEFT: {
      message: 'The support bundle was not created: a value of .env or a redacted word also occurs in its structure ({where}). Redact another word.',
      status: 409,
    },
    NOT_A_FILE: { message: 'The file is not a support bundle: {why}.', status: 400 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services, error } = registry;
  const added = new Map<string, SupportPart>();
  const sections = (): Section[] => sectionsOf(services, added.values());
  const files = lazy(() => import('./support-files.ts').then(({ createSupportFiles }) => createSupportFiles({ services, error, sections })));
  const changed = (): Error => error('CHANGED', {});
  registry.point('support_part', {
    validate: ({ name }) => (/^[a-z][A-Za-z0-9]{0,39}$/.test(name) && !added.has(name) ? undefined : `'${name}' is not a valid or unused name for a section.`),
    added: (part) => void added.set(part.name, part),
    removed: ({ name }) => void added.delete(name),
  });
  registry.add('route', createSupportRoute(async (wish) => (await files()).make(wish), changed) as Route);
  registry.add('view', {
    name: 'support',
    title: 'Report a problem',
    description: 'Packs a turn into one file for support: review it, redact words, save it.',
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
    summary: 'Shows a support bundle that reproduces a turn. Nothing is sent.',
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
      out: { type: 'string', description: 'Writes the bundle to this new file.', values: 'file' },
      json: { type: 'boolean', description: 'As JSON.' },
    },
    run: async (input, output) => (await import('./support-command.ts')).runSupport(await files(), input, output),
  });
}
