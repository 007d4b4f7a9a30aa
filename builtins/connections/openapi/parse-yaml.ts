// The YAML parser in a file of its own: it is loaded only for a document in YAML.
export { parse as parseYaml } from 'yaml';
