// Implements the command parser as a lazy proxy, which loads the code with the first command.
import { lazy } from '#lib/async';
import type { CommandReading } from 'agent-harness/builtins/tools/shell';

/** @param home path of the product's home folder */
export function createLazyReading(home: string): CommandReading {
  const reading = lazy(() => import('./command-reading.ts').then(({ createCommandReading }) => createCommandReading(home)));
  return {
    parse: async (line) => (await reading()).parse(line),
    placeOf: async (cwd, workspaceRoot) => (await reading()).placeOf(cwd, workspaceRoot),
    isInside: async (path, place) => (await reading()).isInside(path, place),
    isSystemProgram: async (name, place) => (await reading()).isSystemProgram(name, place),
  };
}
