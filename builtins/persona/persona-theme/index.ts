// Registers the theme of a persona: creates it with the persona, activates both together, and applies it before the first rendering of the page.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/clients/web-ui';
import type {} from 'agent-harness/builtins/persona/persona-theme';
import type { PersonaProfile } from 'agent-harness/builtins/persona/persona';
import type {} from 'agent-harness/plugins/http';
import { themeOf } from './heuristic.ts';
import { readTheme } from './read-theme.ts';
import { previewSchema, shownThemeSchema } from './schemas.ts';
import { createShownTheme } from './shown-theme.ts';
import type { UiTheme } from './theme-schema.ts';

export const manifest = {
  name: 'persona-theme',
  requires: ['persona'],
  events: ['look_changed'],
  config: Type.Object({
    asksModel: Type.Boolean({
      default: false,
      env: 'AGENT_PERSONA_UI_THEME_LLM',
      words: 'colours colors appearance look design',
      tab: 'harness',
      title: 'Theme chosen by a model',
      description: 'For a new persona a model chooses colours, corners, spacing and fonts from fixed lists. Off: fixed rules choose them.',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

const themeReply = Type.Object({ personaUiTheme: shownThemeSchema });
const readThemeSchema = { reply: themeReply };

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { config, services } = registry;
  const byRules = ({ summary, traits }: PersonaProfile, input: string): UiTheme => themeOf(input, summary, ...traits);
  const shown = createShownTheme(() => services.persona.artifact('ui_theme'));

  registry.add('persona_artifact', {
    name: 'ui_theme',
    async make(making) {
      const otherwise = byRules(making.profile, making.input);
      if (!config.asksModel || making.isOffline) return otherwise;
      return (await import('./ask-theme.ts')).askTheme(making, otherwise);
    },
    scaffold: byRules,
    check(value) {
      const theme = readTheme(value);
      return theme ? { value: theme } : 'a theme has one choice from each list and two colours as #rrggbb, and nothing else';
    },
  });
  registry.add('reply_section', {
    route: 'GET /api/config',
    name: 'persona-theme',
    fields: themeReply,
    read: async () => ({ personaUiTheme: await shown.read() }),
  });
  registry.add('route', {
    key: 'GET /api/persona/theme',
    summary: 'Returns the theme of the persona: its choices, and the resulting colours of the page in light and dark mode.',
    tag: 'persona',
    // Every viewer may read the theme, because the page is rendered with it.
    permission: 'server.read',
    schema: readThemeSchema,
    handle: async () => ({ personaUiTheme: await shown.read() }),
  });
  registry.add('route', {
    key: 'POST /api/persona/theme/preview',
    summary: 'Previews a theme of the page with its contrast; changes nothing.',
    tag: 'persona',
    permission: 'persona.read',
    schema: previewSchema,
    handle: async ({ body }) => shown.preview(body as UiTheme),
  });
  emitter.on('persona_changed', () => emitter.emit('look_changed', {}));
  registry.add('wire_event', {
    name: 'look_changed',
    description: 'The theme of the persona may have changed.',
    permission: 'server.read',
    keep: 'live',
    schema: Type.Object({}, { additionalProperties: false }),
  });
  registry.add('page_meta', {
    name: 'page-tokens',
    async content() {
      const look = await shown.read();
      return look ? JSON.stringify(look.tokens) : undefined;
    },
  });
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/persona/theme': typeof readThemeSchema;
    'POST /api/persona/theme/preview': typeof previewSchema;
  }
  interface ReplyFields {
    'GET /api/config persona-theme': typeof themeReply;
  }
}
