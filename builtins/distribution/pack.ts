// Defines the module that contains every plugin of the stock distribution; the build fills it in.
export { builtins, platform } from 'all-plugins';
