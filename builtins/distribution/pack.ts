// Every plugin of the stock distribution in one module, for whoever loads them all. The build fills it in.
export { builtins, platform } from 'all-plugins';
