// Defines the module that contains all plugins of the stock distribution; the build fills it in.
export { builtins, platform } from 'all-plugins';
