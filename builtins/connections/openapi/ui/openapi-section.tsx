// Renders the connected OpenAPI documents.
import { useClient } from '#page/kit/hooks.ts';
import { ConnectionSection } from '#page/points/connections/connection-section.tsx';
import { AddOpenApi } from './add-openapi.tsx';
import { t } from '#page/kit/t.ts';

export function OpenApiSection() {
  const { call } = useClient();
  return (
    <ConnectionSection
      kind="openapi"
      title={t('OpenAPI documents')}
      intro={t('APIs whose operations become tools.')}
      one={t('OpenAPI document')}
      Form={AddOpenApi}
      remove={(name) => call('DELETE /api/integrations/openapi/:name', { params: { name } })}
    />
  );
}
