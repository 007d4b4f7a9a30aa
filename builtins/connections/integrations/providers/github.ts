// Defines the operations of GitHub. Source of the paths: the provider's API reference.
import * as Type from 'typebox';
import type { IntegrationProvider } from '../contract.ts';
import { count, maybe, strict, text } from './fields.ts';

const repository = { owner: text('Owner of the repository.', 100), repo: text('Name of the repository.', 100) };

export const github: IntegrationProvider = {
  id: 'github',
  title: 'GitHub',
  kind: 'code host',
  origins: ['https://api.github.com'],
  headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28', 'user-agent': 'agent-harness' },
  tools: [
    {
      name: 'list_repos',
      description: 'Lists the repositories of the account.',
      method: 'GET',
      path: '/user/repos',
      fixed: { sort: 'updated' },
      input: Type.Object({ per_page: count(100) }, strict),
    },
    {
      name: 'list_issues',
      description: 'Lists issues and pull requests of a repository.',
      method: 'GET',
      path: '/repos/{owner}/{repo}/issues',
      input: Type.Object(
        { ...repository, state: Type.Optional(Type.Union([Type.Literal('open'), Type.Literal('closed'), Type.Literal('all')])), per_page: count(100) },
        strict,
      ),
    },
    {
      name: 'create_issue',
      description: 'Opens an issue.',
      method: 'POST',
      path: '/repos/{owner}/{repo}/issues',
      input: Type.Object({ ...repository, title: text('Title.', 256), body: maybe('Text, in markdown.', 60_000) }, strict),
    },
    {
      name: 'comment',
      description: 'Comments on an issue or pull request.',
      method: 'POST',
      path: '/repos/{owner}/{repo}/issues/{number}/comments',
      input: Type.Object({ ...repository, number: Type.Integer({ minimum: 1, description: 'Its number.' }), body: text('Text, in markdown.', 60_000) }, strict),
    },
    {
      name: 'search_code',
      description: 'Searches code.',
      method: 'GET',
      path: '/search/code',
      input: Type.Object({ q: text('E.g. `parse repo:owner/name language:ts`.'), per_page: count(100) }, strict),
    },
    {
      name: 'get_pull_request',
      description: 'Reads a pull request.',
      method: 'GET',
      path: '/repos/{owner}/{repo}/pulls/{number}',
      input: Type.Object({ ...repository, number: Type.Integer({ minimum: 1, description: 'Its number.' }) }, strict),
    },
  ],
};
