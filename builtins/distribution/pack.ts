// Bundles every plugin of the stock distribution into one module, which the build fills in.
export { builtins, platform } from 'all-plugins';
