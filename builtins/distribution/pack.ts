// Bundles every plugin of the stock distribution into one module. Filled in by the build.
export { builtins, platform } from 'all-plugins';
