"""Reports as people read them: a page, text tables, CSV.

Every function takes the report as a plain dictionary, as it stands in the JSON file, so that a page
can be drawn again without sampling again. Rungs are taken as they come: a new one needs a colour
and a sentence in `words`, and no more.
"""
