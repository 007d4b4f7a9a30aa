// Defines the settings of the memory.
import * as Type from 'typebox';

export const settingsSchema = Type.Object({
  embedModel: Type.String({
    default: '',
    env: 'AGENT_EMBED_MODEL',
    words: 'vector rag semantic search similarity',
    tab: 'models_api',
    title: 'Embeddings model',
    description: 'Notes are also found by meaning, with vectors that this model of the provider makes of their text. Empty: by their words only.',
    apply: 'live',
  }),
  isGraphOn: Type.Boolean({
    default: true,
    env: 'AGENT_MEMORY_GRAPH',
    tab: 'memory_vault',
    title: 'Link notes',
    description: 'Links each new note to up to five notes with similar words, and offers the tool memory_graph, which follows such links.',
    apply: 'reload',
  }),
  isAutolinkOn: Type.Boolean({
    default: false,
    env: 'AGENT_MEMORY_AUTOLINK',
    tab: 'memory_vault',
    title: 'Links in the text of notes',
    description: 'After a turn, a small model call suggests links, which are appended to the new notes as [[type:key]].',
    apply: 'live',
  }),
  autolinkModel: Type.String({
    default: '',
    env: 'AGENT_MEMORY_AUTOLINK_MODEL',
    tab: 'models_api',
    title: 'Model for links in notes',
    description: 'The model that suggests links between notes. Empty: the fast model.',
    apply: 'live',
  }),
});
