// Defines the memory settings.
import * as Type from 'typebox';

export const settingsSchema = Type.Object({
  embedModel: Type.String({
    default: '',
    env: 'AGENT_EMBED_MODEL',
    words: 'vector rag semantic search similarity',
    tab: 'models_api',
    title: 'Embeddings model',
    description: 'Embedding model of the provider, with which notes are also found by meaning. Empty: notes are found only by their words.',
    apply: 'live',
  }),
  isGraphOn: Type.Boolean({
    default: true,
    env: 'AGENT_MEMORY_GRAPH',
    tab: 'memory_vault',
    title: 'Link notes',
    description: 'Links each new note to up to five notes with similar words, and adds the tool memory_graph, which follows these links.',
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
    description: 'Model that suggests links between notes. Empty: the fast model.',
    apply: 'live',
  }),
});
