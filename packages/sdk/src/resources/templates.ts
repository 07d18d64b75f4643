import { type Filters, Resource } from '../http.ts'
import type { ListCall } from '../page.ts'
import type { Call } from '../result.ts'
import type { CallOptions } from '../transport.ts'
import type {
  CreateTemplateFolderRequest,
  CreateTemplateRequest,
  Deleted,
  PreviewRequest,
  SaveTemplateDraftRequest,
  Template,
  TemplateDraft,
  TemplateFolder,
  TemplateFolderList,
  TemplatePreview,
  TemplateSummaryList,
  TemplateVersion,
  TemplateVersionSummaryList,
  UpdateTemplateFolderRequest,
  UpdateTemplateRequest,
} from '../types.ts'

/** Versioned email content with variables. */
export class Templates extends Resource {
  /** Creates a template. */
  create(body: CreateTemplateRequest, options?: CallOptions): Call<Template> {
    return this.call('post', '/templates', { body, options })
  }

  /** Lists templates, newest first. */
  list(query?: Filters<'/templates'>, options?: CallOptions): ListCall<TemplateSummaryList> {
    return this.page('/templates', query, options)
  }

  /** Returns a template. */
  get(id: string, options?: CallOptions): Call<Template> {
    return this.call('get', '/templates/{id}', { ids: [id], options })
  }

  /** Changes the given fields of a template. */
  update(id: string, body: UpdateTemplateRequest = {}, options?: CallOptions): Call<Template> {
    return this.call('patch', '/templates/{id}', { ids: [id], body, options })
  }

  /** Deletes a template. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/templates/{id}', { ids: [id], options })
  }

  /** Publishes a template with its draft, so that emails use it. */
  publish(id: string, options?: CallOptions): Call<Template> {
    return this.call('post', '/templates/{id}/publish', { ids: [id], options, isSafe: true })
  }

  /** Returns the unpublished changes of a template. */
  getDraft(id: string, options?: CallOptions): Call<TemplateDraft> {
    return this.call('get', '/templates/{id}/draft', { ids: [id], options })
  }

  /** Saves changes of a template that emails do not use until they are published. */
  saveDraft(id: string, body: SaveTemplateDraftRequest = {}, options?: CallOptions): Call<TemplateDraft> {
    return this.call('patch', '/templates/{id}/draft', { ids: [id], body, options })
  }

  /** Deletes the unpublished changes of a template. */
  discardDraft(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/templates/{id}/draft', { ids: [id], options })
  }

  /** Creates a draft with the content of a template. */
  duplicate(id: string, options?: CallOptions): Call<Template> {
    return this.call('post', '/templates/{id}/duplicate', { ids: [id], options })
  }

  /** Lists the versions of a template, newest first. */
  versions(
    id: string,
    query?: Filters<'/templates/{id}/versions'>,
    options?: CallOptions,
  ): ListCall<TemplateVersionSummaryList> {
    return this.page('/templates/{id}/versions', query, options, [id])
  }

  /** Returns one version of a template. */
  getVersion(id: string, version: number, options?: CallOptions): Call<TemplateVersion> {
    return this.call('get', '/templates/{id}/versions/{version}', { ids: [id, String(version)], options })
  }

  /** Makes the content of an earlier version the newest one. */
  restoreVersion(id: string, version: number, options?: CallOptions): Call<Template> {
    return this.call('post', '/templates/{id}/versions/{version}/restore', {
      ids: [id, String(version)],
      options,
    })
  }

  /** Renders a template without sending it. */
  preview(id: string, body: PreviewRequest = {}, options?: CallOptions): Call<TemplatePreview> {
    return this.call('post', '/templates/{id}/preview', { ids: [id], body, options, isSafe: true })
  }

  /** Renders content that is not stored. */
  previewContent(body: PreviewRequest = {}, options?: CallOptions): Call<TemplatePreview> {
    return this.call('post', '/templates/preview', { body, options, isSafe: true })
  }
}

/** Folders that group templates. */
export class TemplateFolders extends Resource {
  /** Creates a template folder. */
  create(body: CreateTemplateFolderRequest, options?: CallOptions): Call<TemplateFolder> {
    return this.call('post', '/template-folders', { body, options })
  }

  /** Lists template folders, newest first. */
  list(query?: Filters<'/template-folders'>, options?: CallOptions): ListCall<TemplateFolderList> {
    return this.page('/template-folders', query, options)
  }

  /** Returns a template folder. */
  get(id: string, options?: CallOptions): Call<TemplateFolder> {
    return this.call('get', '/template-folders/{id}', { ids: [id], options })
  }

  /** Changes the given fields of a template folder. */
  update(id: string, body: UpdateTemplateFolderRequest = {}, options?: CallOptions): Call<TemplateFolder> {
    return this.call('patch', '/template-folders/{id}', { ids: [id], body, options })
  }

  /** Deletes a template folder. Its templates are kept. */
  delete(id: string, options?: CallOptions): Call<Deleted> {
    return this.call('delete', '/template-folders/{id}', { ids: [id], options })
  }
}
