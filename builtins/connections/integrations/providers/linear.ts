// Defines the operations of Linear as GraphQL requests.
import * as Type from 'typebox';
import type { IntegrationProvider } from '../contract.ts';
import { count, maybe, strict, text } from './fields.ts';

const issueFields = 'identifier title url state { name } assignee { name } updatedAt';

export const linear: IntegrationProvider = {
  id: 'linear',
  title: 'Linear',
  kind: 'issue tracker',
  origins: ['https://api.linear.app'],
  revokeUrl: 'https://api.linear.app/oauth/revoke',
  tools: [
    {
      name: 'search_issues',
      description: 'Finds issues.',
      method: 'POST',
      isRead: true,
      path: '/graphql',
      fixed: { query: `query($term: String!, $first: Int) { searchIssues(term: $term, first: $first) { nodes { ${issueFields} } } }` },
      place: { term: 'variables.term', first: 'variables.first' },
      input: Type.Object({ term: text('Words.'), first: count(100) }, strict),
    },
    {
      name: 'get_issue',
      description: 'Reads an issue and its comments.',
      method: 'POST',
      isRead: true,
      path: '/graphql',
      fixed: { query: `query($id: String!) { issue(id: $id) { ${issueFields} description comments { nodes { body user { name } createdAt } } } }` },
      place: { id: 'variables.id' },
      input: Type.Object({ id: text('As `ENG-12`.', 100) }, strict),
    },
    {
      name: 'list_teams',
      description: 'Lists teams with their ids.',
      method: 'POST',
      isRead: true,
      path: '/graphql',
      fixed: { query: 'query { teams { nodes { id key name } } }' },
      input: Type.Object({}, strict),
    },
    {
      name: 'create_issue',
      description: 'Opens an issue.',
      method: 'POST',
      path: '/graphql',
      fixed: { query: 'mutation($input: IssueCreateInput!) { issueCreate(input: $input) { issue { identifier url } } }' },
      place: { teamId: 'variables.input.teamId', title: 'variables.input.title', description: 'variables.input.description' },
      input: Type.Object({ teamId: text('Id of the team.', 100), title: text('Title.', 500), description: maybe('Text, in markdown.', 60_000) }, strict),
    },
    {
      name: 'comment',
      description: 'Comments on an issue.',
      method: 'POST',
      path: '/graphql',
      fixed: { query: 'mutation($input: CommentCreateInput!) { commentCreate(input: $input) { comment { url } } }' },
      place: { issueId: 'variables.input.issueId', body: 'variables.input.body' },
      input: Type.Object({ issueId: text('Id of the issue.', 100), body: text('Text, in markdown.', 60_000) }, strict),
    },
  ],
};
