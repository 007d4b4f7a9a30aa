// The service before its code is loaded.
import type { Persona } from './contract.ts';

export function lazyPersona(load: () => Promise<Persona>): Persona {
  return {
    label: async () => (await load()).label(),
    read: async () => (await load()).read(),
    history: async (...given) => (await load()).history(...given),
    edit: async (...given) => (await load()).edit(...given),
    revert: async (...given) => (await load()).revert(...given),
    versions: async () => (await load()).versions(),
    restore: async (...given) => (await load()).restore(...given),
    learn: async (...given) => (await load()).learn(...given),
    decideOutside: async (...given) => (await load()).decideOutside(...given),
    artifact: async (...given) => (await load()).artifact(...given),
    setArtifact: async (...given) => (await load()).setArtifact(...given),
    theme: async () => (await load()).theme(),
    setTheme: async (...given) => (await load()).setTheme(...given),
  };
}
