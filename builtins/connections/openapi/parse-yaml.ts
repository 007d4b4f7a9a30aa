// Parses YAML, in its own file: it is loaded only for a document in YAML.
export { parse as parseYaml } from 'yaml';
