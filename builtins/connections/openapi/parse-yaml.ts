// Re-exports the YAML parser from a separate module, which is loaded only for YAML documents.
export { parse as parseYaml } from 'yaml';
