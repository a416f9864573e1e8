require "json"

# Tells each story its other languages, and adds the pages of the list, and one at each address that a story had before.
class Stories < Jekyll::Generator
  def generate(site)
    stories = site.pages.select { |page| page.data["uuid"] }
    stories.group_by { |page| page.data["uuid"] }.each_value do |same|
      links = same.map { |page| { "code" => code(site, page), "url" => page.data["url"] } }
      same.each { |page| page.data.merge!("code" => code(site, page), "translations" => links) }
    end
    stories.group_by { |page| page.data["lang"] }.each { |language, pages| add_list(site, language, pages) }
    moved = site.in_source_dir("cms/redirects.json")
    return unless File.exist?(moved)

    JSON.parse(File.read(moved)).each { |one| add(site, one["from"], "layout" => "redirect", "to" => one["to"]) }
  end

  private

  def code(site, page)
    page.data["lang"] == "default" ? site.config["default_language"] : page.data["lang"]
  end

  def add_list(site, language, pages)
    settings = site.config["list"]
    prefix = language == "default" ? "" : "/#{language}"
    listed = pages.select { |page| page.data["full_slug"].delete_prefix("#{prefix.delete_prefix("/")}/").start_with?(settings["folder"]) }
    slices = listed.sort_by { |page| page.data["url"] }.each_slice(settings["size"]).to_a
    urls = slices.each_index.map { |at| "#{prefix}/stories/#{"#{at + 1}/" if at.positive?}" }
    slices.each_with_index do |stories, at|
      add(site, urls[at], "layout" => "list", "title" => "Stories", "code" => code(site, stories.first), "list" => {
        "stories" => stories, "number" => at + 1, "last" => slices.size,
        "previous" => at.positive? ? urls[at - 1] : nil, "next" => urls[at + 1]
      })
    end
  end

  def add(site, url, data)
    page = Jekyll::PageWithoutAFile.new(site, site.source, url, "index.html")
    page.content = ""
    page.data.merge!(data)
    site.pages << page
  end
end
