// Parses YAML; a separate file, because only YAML documents load it.
export { parse as parseYaml } from 'yaml';
