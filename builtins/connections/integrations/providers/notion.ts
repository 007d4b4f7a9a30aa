// Defines the operations of Notion. Source of the paths: the provider's API reference.
import * as Type from 'typebox';
import type { IntegrationProvider } from '../contract.ts';
import { count, strict, text } from './fields.ts';

const id = text('Id.', 100);

export const notion: IntegrationProvider = {
  id: 'notion',
  title: 'Notion',
  kind: 'notes app',
  origins: ['https://api.notion.com'],
  headers: { 'notion-version': '2022-06-28' },
  tools: [
    {
      name: 'search',
      description: 'Finds pages and databases.',
      method: 'POST',
      isRead: true,
      path: '/v1/search',
      input: Type.Object({ query: text('Words.'), page_size: count(100) }, strict),
    },
    { name: 'get_page', description: 'Reads a page and its properties.', method: 'GET', path: '/v1/pages/{page}', input: Type.Object({ page: id }, strict) },
    {
      name: 'read_blocks',
      description: 'Reads the content of a page.',
      method: 'GET',
      path: '/v1/blocks/{block}/children',
      input: Type.Object({ block: id, page_size: count(100) }, strict),
    },
    {
      name: 'append_blocks',
      description: 'Appends blocks to a page.',
      method: 'PATCH',
      path: '/v1/blocks/{block}/children',
      input: Type.Object(
        {
          block: id,
          children: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1, maxItems: 100, description: "Blocks in the API's format." }),
        },
        strict,
      ),
    },
  ],
};
