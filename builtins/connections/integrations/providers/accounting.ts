// Defines the operations of QuickBooks Online. Source of the paths: the provider's API reference.
import * as Type from 'typebox';
import type { IntegrationProvider } from '../contract.ts';
import { strict, text } from './fields.ts';

const realm = text('Id of the company; the account id of the connection.', 50);

export const accounting: IntegrationProvider = {
  id: 'accounting',
  title: 'QuickBooks Online',
  kind: 'accounting app',
  origins: ['https://quickbooks.api.intuit.com'],
  tools: [
    {
      name: 'company',
      description: 'Returns the company.',
      method: 'GET',
      path: '/v3/company/{realm}/companyinfo/{realm}',
      input: Type.Object({ realm }, strict),
    },
    {
      name: 'query',
      description: "Runs a query in the API's query language.",
      method: 'GET',
      path: '/v3/company/{realm}/query',
      input: Type.Object({ realm, query: text('E.g. `select * from Invoice maxresults 10`.', 4_000) }, strict),
    },
    {
      name: 'profit_and_loss',
      description: 'Returns the profit and loss report.',
      method: 'GET',
      path: '/v3/company/{realm}/reports/ProfitAndLoss',
      input: Type.Object({ realm, start_date: text('2026-01-01.', 10), end_date: text('2026-12-31.', 10) }, strict),
    },
    {
      name: 'create_invoice',
      description: 'Creates an invoice.',
      method: 'POST',
      path: '/v3/company/{realm}/invoice',
      input: Type.Object(
        {
          realm,
          CustomerRef: Type.Object({ value: text('Id of the customer.', 50) }, strict),
          Line: Type.Array(Type.Object({}, { additionalProperties: true }), { minItems: 1, maxItems: 200, description: "Lines in the API's format." }),
        },
        strict,
      ),
    },
  ],
};
