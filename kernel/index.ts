// Exports the public API of the kernel.
export type * from './types.ts';
export { createKernel } from './kernel.ts';
export { entryOf, findPluginFiles } from './discover.ts';
export { loadPlugins } from './loader.ts';
export { kernelError, kernelErrors, errorPrefix, messageOf, codeOf, pluginError } from './errors.ts';
