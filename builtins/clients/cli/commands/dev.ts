// `dev`: the server in this process; plugins that are added or saved meanwhile run without a restart.
import type { RunCommand } from '../cli-parts.ts';
import { serve } from './serve.ts';

export const dev: RunCommand = async (parts, input, output) => {
  const watching = parts.services.settings?.watchPlugins();
  try {
    if (watching) output.out(`Plugins in ${watching.dir} run as soon as they are saved.\n`);
    return await serve(parts, input, output);
  } finally {
    await watching?.dispose();
  }
};
