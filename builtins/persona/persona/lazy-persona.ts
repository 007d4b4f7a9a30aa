// Implements the service `persona` until its code is loaded: answers frequent requests itself while no persona exists.
import type { Persona } from './contract.ts';

export function lazyPersona(load: () => Promise<Persona>, isThere: () => Promise<boolean>): Persona {
  return {
    label: async (chatId) => ((await isThere()) ? (await load()).label(chatId) : ''),
    read: async () => (await load()).read(),
    history: async (...given) => (await load()).history(...given),
    edit: async (...given) => (await load()).edit(...given),
    revert: async (...given) => (await load()).revert(...given),
    versions: async () => (await load()).versions(),
    restore: async (...given) => (await load()).restore(...given),
    learn: async (...given) => (await load()).learn(...given),
    decideOutside: async (...given) => (await load()).decideOutside(...given),
    artifact: async (...given) => ((await isThere()) ? (await load()).artifact(...given) : undefined),
    setArtifact: async (...given) => (await load()).setArtifact(...given),
    theme: async () => ((await isThere()) ? (await load()).theme() : undefined),
    setTheme: async (...given) => (await load()).setTheme(...given),
  };
}
